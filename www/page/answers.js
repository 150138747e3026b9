// What the agent says and does. A message that names a thing gets that answer, any other one gets the next in turn.

const answers = [
  {
    about: /checkout/i,
    steps: [
      { think: 'The checkout test failed this morning. First I run it, then I look at what changed since yesterday.' },
      { say: 'I run the checkout tests first. ' },
      {
        call: {
          name: 'run_tests',
          input: { only: 'checkout' },
          output: ['ok   adds an item\n', 'ok   keeps the basket\n', 'FAIL total with a voucher\n', '     expected 1790, got 1791\n'],
          result: { passed: 2, failed: 1 },
        },
      },
      { think: 'One cent. A rounding mistake, and vouchers changed yesterday.' },
      { call: { name: 'read_file', input: { path: 'shop/voucher.js' }, result: 'const price = net * (1 - voucher / 100)' } },
      { say: 'The price of an item is rounded before the voucher is taken off, so some totals are one cent too high. I round once, at the end.' },
      { call: { name: 'write_file', input: { path: 'shop/voucher.js', text: 'const price = round(net * (100 - voucher) / 100)' }, ask: 'Write shop/voucher.js?', result: 'written' } },
      { say: 'The file is written. All three checkout tests should pass now.' },
    ],
  },
  {
    about: /changelog/i,
    steps: [
      { call: { name: 'read_file', input: { path: 'CHANGELOG.md' }, result: '## 2.4.1\n- Faster search' } },
      { say: 'Here is an entry for the changelog: “2.4.2: a voucher no longer makes a total one cent too high.” ' },
      { say: 'It says what a customer sees and leaves out how it was done.' },
    ],
  },
  {
    about: /licen[cs]e/i,
    steps: [
      { think: 'A list of all packages and their licences, then those that are unusual.' },
      { call: { name: 'list_licences', input: { direct: true }, output: ['MIT         31\n', 'Apache-2.0   9\n', 'ISC          4\n'], result: { unusual: 0 } } },
      { say: 'All 44 packages have one of three licences: MIT, Apache-2.0 or ISC. None of them needs a closer look.' },
    ],
  },
  {
    about: /report|long/i,
    steps: [
      { think: 'This will be long. I write it section by section.' },
      { say: 'The shop has three parts. The catalogue keeps the items and their prices, and is read far more often than it is written. ' },
      { say: 'The basket belongs to one visitor and lives for a week. It holds ids and amounts and never a price, since a price may change while the basket waits. ' },
      { call: { name: 'count_lines', input: { folder: 'shop' }, output: ['catalogue 1210\n', 'basket     480\n', 'checkout   930\n'], result: { lines: 2620 } } },
      { say: 'The checkout asks the catalogue for the prices at the very end, takes off the voucher, rounds once and asks the bank. Everything that can go wrong there has a name and a test.' },
    ],
  },
  {
    about: /deploy/i,
    steps: [
      { say: 'I try the staging machine first. ' },
      { call: { name: 'deploy', input: { to: 'staging' }, output: ['uploading 3 files\n', 'restarting\n'], result: 'no space left on device', isError: true } },
      { fail: 'The staging machine has no space left.' },
    ],
  },
]

const others = [
  [{ think: 'A short question, so a short answer.' }, { say: 'Yes. Two of the nightly jobs read that table, and both only need the last thirty days of it.' }],
  [{ call: { name: 'search', input: { words: 'voucher' }, output: ['shop/voucher.js\n', 'shop/total.js\n'], result: { files: 2 } } }, { say: 'Two files name it: the voucher itself, and the total that uses it.' }],
  [{ say: 'I would leave it as it is: it is read once a day, and the simpler form is easier to explain.' }],
]

/** The steps of the answer to a text, in turn number `turn`. */
export function answerTo(text, turn) {
  return answers.find(({ about }) => about.test(text))?.steps ?? others[turn % others.length]
}

const old = [
  ['How many orders came in yesterday?', 'There were 1,204 orders yesterday, 3 % more than the day before.'],
  ['Which page is the slowest?', 'The search page: half of all visits wait longer than 800 ms for it.'],
  ['Why?', 'It counts all hits before it shows the first. An estimate would do.'],
  ['Is anything else slow?', 'The list of orders of large customers, and only on the first visit of a day.'],
  ['Who wrote the search page?', 'It came with the move to the new catalogue, in spring.'],
  ['Do we have a test for it?', 'Two: one for the words, one for the order of the hits. Neither looks at the time.'],
]

/** Turns that were sealed before anybody looked. */
export function earlier() {
  return Array.from({ length: 12 }, (_, index) => {
    const [ask, reply] = old[index % old.length]
    const turnId = `old${index + 1}`
    return [
      { turnId, role: 'user', type: 'text', data: { text: ask }, messageId: `old-m${index + 1}` },
      { turnId, role: 'assistant', type: 'text', data: { text: reply } },
    ]
  }).flat()
}
