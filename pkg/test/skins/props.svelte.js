/** Props that may change; what they hold is left as it is. */
export function changing({ threadId, ...rest }) {
  let id = $state(threadId)
  return {
    ...rest,
    get threadId() { return id },
    set threadId(next) { id = next },
  }
}
