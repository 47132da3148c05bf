/** Chapters and attendance of a recording. */
export const lesson = {
  chapters: 'Kapitel',
  chapter: { speaker: '{{name}}', screen: '{{name}} teilt den Bildschirm', page: 'Seite {{name}} der Tafel' },
  attendance: 'Anwesenheit',
  columns: {
    name: 'Name',
    joined: 'Gekommen',
    left: 'Gegangen',
    present: 'Anwesend',
    talk: 'Redezeit',
    hand: 'Gemeldet',
  },
  joins: '(Beitritte: {{number}})',
  untilEnd: 'bis zum Ende',
  saveTable: 'Als Tabelle speichern (CSV)',
}
