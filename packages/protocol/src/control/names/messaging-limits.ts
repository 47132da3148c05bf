/** The most that an unread counter shows. */
export const UNREAD_MAX = 999
/** Characters of the last message in the summary of a conversation. */
export const PREVIEW_MAX = 200
/** The most conversations in the state of an account. */
export const CONVERSATIONS_MAX = 100
/** The most contacts in the state of an account, whatever their state. */
export const CONTACTS_MAX = 1000
