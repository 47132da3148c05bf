/** Sharing one's own screen. */
export const sharing = {
  on: 'You are sharing',
  preview: 'Preview of what you share',
  stop: 'Stop',
}
