import { StoredValue } from '../stored-value.ts'

/** The same value as in the rooms (preferences/theme.ts). */
const stored = new StoredValue('lectern.theme', () => localStorage)

const isDark = () => {
  const chosen = document.documentElement.dataset.theme
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
}

/** Applies the theme that was chosen here or in a room, and lets the button change it. */
export function openTheme(): void {
  const theme = stored.get()
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  const button = document.getElementById('theme') as HTMLButtonElement
  const show = () => {
    button.textContent = isDark() ? 'Light' : 'Dark'
    button.setAttribute('aria-label', isDark() ? 'Use the light theme' : 'Use the dark theme')
  }
  show()
  button.addEventListener('click', () => {
    const next = isDark() ? 'light' : 'dark'
    document.documentElement.dataset.theme = next
    stored.set(next)
    show()
  })
}
