// The cases of one framework alone: they import it, so Node cannot read their titles from them.
export const own = {
  react: [
    'under StrictMode it draws the same, and ends as clean',
    'a drawing that takes long shows one state, whatever comes meanwhile',
    'a provider hands its thread down',
    "zustand's useStore takes a thread",
    'a selected value that is alike is the same object',
  ],
  svelte: [
    'the classic contract: $chat is the snapshot',
    'an effect runs for what it reads, and for nothing else',
    'two effects that saw two values both end with the last one',
    'a derived value follows its group',
    "the ancestor's tabs are reactive, as with runes",
  ],
}
