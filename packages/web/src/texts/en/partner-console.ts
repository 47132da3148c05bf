/** The console of a service account, for administrators. */
export const partnerConsole = {
  rooms: 'Rooms',
  deliveries: 'Deliveries',
  title: 'Webhook',
  none: 'The partner has not set a webhook yet.',
  url: 'URL',
  events: 'Events',
  enabled: 'Enabled',
  disabled: 'Disabled',
  previous: 'Previous secret',
  until: 'valid until {{time}}',
  test: 'Send test event',
  testQuestion: 'Send a test event to {{name}}?',
  tested: 'The test event is queued. The list of deliveries shows the response.',
  rotate: 'Replace secret',
  rotateQuestion:
    'Create a new secret for {{name}}? For one day, deliveries have signatures of both secrets.',
  rotated: 'The new secret is ready.',
  secret: 'New webhook secret',
  secretNote: 'Give it to the partner now: it is not shown again.',
  finish: 'End validity of the previous secret',
  finishQuestion:
    'Sign with the new secret only? A receiver that still has the previous one rejects all deliveries.',
  finished: 'Deliveries have signatures of the new secret only.',
  remove: 'Remove webhook',
  removeQuestion:
    'Remove the webhook of {{name}}? Pending deliveries are cancelled, and new events are not sent.',
  removed: 'The webhook is removed.',
}
