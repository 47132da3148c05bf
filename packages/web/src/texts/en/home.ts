/** The frame of the pages of a signed-in user. */
export const home = {
  navigation: 'Main navigation',
  back: 'Back',
  pages: {
    conversations: 'Chats',
    contacts: 'Contacts',
    calls: 'Calls',
    meetings: 'Meetings',
    recordings: 'Recordings',
    settings: 'Settings',
    admin: 'Admin',
  },
  unread: '{{page}}, unread: {{number}}',
  connection: {
    offline: 'You are offline. Messages are sent when you are back online.',
    reconnecting: 'Connection lost. Reconnecting…',
    outdated: 'The server was updated. Reload the page to continue.',
    reload: 'Reload page',
  },
}

export const overview = {
  title: 'Start or join',
  missed: 'Missed calls',
  recordings: 'Last recordings',
}
