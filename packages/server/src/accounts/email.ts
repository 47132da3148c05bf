/** Whether it has the form of a mail address. The mail server knows what exists; this finds mistakes. */
export const isMailAddress = (text: string): boolean =>
  text.length <= EMAIL_MAX && /^[^\s@,;<>]+@[^\s@,;<>]+$/.test(text)

const EMAIL_MAX = 254
