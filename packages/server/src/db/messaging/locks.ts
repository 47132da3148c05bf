/** Held while messages of the chat get their ids: nobody reads a message before those with smaller ids are stored. */
export const chatLock = (chatId: string): string => `chat ${chatId}`

/** Of the contacts of these accounts, which are counted before they change. */
export const relationLocks = (userIds: readonly number[]): string[] => userIds.map(id => `relations ${id}`)
