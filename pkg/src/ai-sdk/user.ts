import type { Part } from '../view.js'
import { carry } from './carried.js'
import type { Extra } from './chunks.js'

/** A part of a user's message as a part of the store. */
export function userPart(part: Extra): readonly Part[] {
  const { type, text } = part
  if (type === 'text') return typeof text === 'string' ? [{ type, text }] : []
  if (type === 'file') return [{ ...part, type }]
  return typeof type === 'string' ? [carry({ of: 'part', part: { ...part, type } })] : []
}
