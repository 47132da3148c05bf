/** Chapters and attendance of a recording. */
export const lesson = {
  chapters: 'Chapitres',
  chapter: { speaker: '{{name}}', screen: '{{name}} partage l’écran', page: 'Page {{name}} du tableau' },
  attendance: 'Présence',
  columns: {
    name: 'Nom',
    joined: 'Arrivée',
    left: 'Départ',
    present: 'Présence',
    talk: 'Temps de parole',
    hand: 'Main levée',
  },
  joins: '(entrées : {{number}})',
  untilEnd: 'jusqu’à la fin',
  saveTable: 'Enregistrer le tableau (CSV)',
}
