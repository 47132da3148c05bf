import { createContext, useContext } from 'react'

/** Whether the room has shortcut keys: the user has not turned them off, and the device has keys. */
export const ShortcutKeys = createContext(true)

/** The key to show beside a control; absent: none. */
export function useOfferedKey(shortcut: string | undefined): string | undefined {
  return useContext(ShortcutKeys) ? shortcut : undefined
}
