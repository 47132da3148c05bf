/** Code points of a message. */
export const CHAT_TEXT_MAX = 4000
/** The most that an unread counter shows. */
export const UNREAD_MAX = 999
/** Characters of the last message in the summary of a conversation. */
export const PREVIEW_MAX = 200
/** The most conversations in the state of an account. */
export const CONVERSATIONS_MAX = 100
/** The most conversations or messages of a page. */
export const PAGE_MAX = 100
/** How long a message can be edited and deleted by its sender. */
export const EDITABLE_MS = 86_400_000
/** The most contacts in the state of an account, whatever their state. */
export const CONTACTS_MAX = 1000
