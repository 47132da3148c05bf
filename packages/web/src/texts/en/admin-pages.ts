/** Navigation, menus, empty lists and new pages of the administration. */
export const adminPages = {
  groups: { people: 'People', meetings: 'Meetings', system: 'System' },
  actionsOf: 'Actions: {{name}}',
  noMatch: 'Nothing matches the search and the filters.',
  clear: 'Clear search and filters',
  starts: 'Starts',
  ends: 'Ends',
  files: 'Files',
  changed: 'Changed',
  history: 'History',
  deletedMeeting: 'Deleted meeting',
  changeScopes: 'Change scopes',
  nothingWaits: 'Nothing is waiting.',
  room: {
    open: 'Open its room',
    closeHint: 'The lesson is over: its session ends, and its links say that it is finished.',
    cancelHint: 'The lesson does not take place: its links say that it was cancelled.',
  },
  result: { recordings: 'Open the recording', transcripts: 'Open the transcript' },
  technicalUser: {
    create: 'Create a new one',
    existing: 'Use an existing one',
    note: 'The technical user owns the rooms of the partner. It needs no password: the partner’s backend signs in with the client secret.',
  },
  how: {
    users: 'Create one with “New user”, and send the person the invitation link.',
    serviceAccounts:
      'A partner’s backend needs one to create rooms. Create it with “New service account”, and give the client secret to the partner.',
    sessions:
      'A session appears here when somebody joins a meeting, and disappears when the last person has left.',
    rooms: 'Partners create rooms through the partner API, with a service account.',
    recordings:
      'A recording appears here when a moderator has pressed “Record” and a recorder has stored it.',
    transcripts:
      'A transcript appears here when a meeting with transcription has ended. It needs a transcriber.',
    jobs: 'A job appears here when a recording or a transcription starts.',
    webhooks:
      'Deliveries appear here when a partner has set a webhook and something happens in one of its rooms.',
    push: 'Notifications are sent at once. Those that a push service did not accept wait here for the next attempt.',
    audit: 'Everything that administrators change is listed here.',
  },
}
