export const stage = {
  page: 'Seite {{page}} von {{pages}}',
  previous: 'Vorherige Seite',
  more: '+{{number}}',
  layout: {
    title: 'Ansicht',
    webinar: 'Automatisch',
    webinarText: 'Ab drei Personen wird groß gezeigt, wer spricht.',
    grid: 'Galerie',
    gridText: 'Alle in gleicher Größe, bis zu 49 pro Seite.',
    speaker: 'Sprecher',
    speakerText: 'Wer spricht, wird groß gezeigt.',
    presentation: 'Präsentation',
    presentationText:
      'Der geteilte Bildschirm oder der Moderator ist groß, daneben sind wenige Personen zu sehen.',
    presentationText_teacher:
      'Der geteilte Bildschirm oder die Lehrkraft ist groß, daneben sind wenige Personen zu sehen.',
  },
  ownView: 'Mein eigenes Video anzeigen',
  moveOwnView: 'Zum Verschieben in eine andere Ecke ziehen oder eine Pfeiltaste drücken.',
  reconnecting: 'Verbindung wird wiederhergestellt …',
  hand: '{{name}} hat die Hand gehoben, Nummer {{number}}',
  zoom: {
    title: 'Größe des Bildschirms',
    in: 'Vergrößern',
    out: 'Verkleinern',
    fit: 'Einpassen',
  },
}
