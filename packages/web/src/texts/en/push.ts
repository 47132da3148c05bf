export const push = {
  hint: 'About calls and messages that arrive while no page is open.',
  switch: 'Notify me in this browser',
  checking: 'Checking…',
  failed: 'Notifications could not be turned on. Check your connection and try again.',
  notOff: 'Notifications could not be turned off. Check your connection and try again.',
  blocked:
    'Notifications are blocked for this site. Click the icon to the left of the address and allow notifications.',
  unavailable: {
    disabled: 'This server sends no notifications.',
    unsupported:
      'This browser does not support notifications here. Try an up-to-date browser, or a page with https.',
    install:
      'Add this page to your home screen first: tap Share, then “Add to Home Screen”, and open it from there.',
  },
}
