export const home = {
  navigation: 'Hauptnavigation',
  back: 'Zurück',
  pages: {
    conversations: 'Chats',
    contacts: 'Kontakte',
    calls: 'Anrufe',
    meetings: 'Meetings',
    recordings: 'Aufzeichnungen',
    settings: 'Einstellungen',
    admin: 'Admin',
  },
  unread: '{{page}}, ungelesen: {{number}}',
  connection: {
    offline: 'Sie sind offline. Nachrichten werden gesendet, sobald Sie wieder online sind.',
    reconnecting: 'Verbindung unterbrochen. Sie wird wiederhergestellt…',
    outdated: 'Der Server wurde aktualisiert. Laden Sie die Seite neu, um fortzufahren.',
    reload: 'Seite neu laden',
  },
}

export const overview = {
  title: 'Starten oder beitreten',
  missed: 'Verpasste Anrufe',
  recordings: 'Letzte Aufzeichnungen',
}
