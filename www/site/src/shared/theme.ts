// Light, dark, or what the system says. public/theme.js sets it before the first paint.
import { cell } from './cell.ts'

/** The choices, in the order of the button. */
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const kept = (): Theme => THEMES.find(theme => theme === document.documentElement.dataset.theme) ?? 'system'

/** The choice. */
export const theme = cell<Theme>(kept())

/** Goes to the next choice. */
export function nextTheme(): void {
  const next = THEMES[(THEMES.indexOf(theme.get()) + 1) % THEMES.length] ?? 'system'
  theme.set(next)
  if (next === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = next
  try {
    localStorage.setItem('turnseal-site:theme', next)
  } catch {
    // For this visit, at least.
  }
}
