// A page as the tarball has it: what it links to and is not in the tarball is linked to where the sources are.

/** The address of a repository, as a manifest names it. */
export const webOf = ({ repository: { url } }) => url.replace(/^git\+/, '').replace(/\.git$/, '')

/** The text with each link to a file that is not one of `shipped` as an address below `web`; code stays as it is. */
export function published(text, web, shipped) {
  const isOut = to => /^([a-z][a-z+.-]*:|#)/i.test(to) || shipped.includes(to.replace(/#.*/, ''))
  const told = (words, to, kind) => `${words}(${isOut(to) ? to : `${web}/${kind}/HEAD/${to}`})`
  const prose = part => part
    .replace(/(!\[[^\]]*\])\(([^)\s]+)\)/g, (_, words, to) => told(words, to, 'raw'))
    .replace(/(\])\(([^)\s]+)\)/g, (_, words, to) => told(words, to, 'blob'))
  return text.split(/(^```[\s\S]*?^```|`[^`\n]*`)/m).map((part, at) => (at % 2 === 0 ? prose(part) : part)).join('')
}
