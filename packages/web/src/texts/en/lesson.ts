/** Chapters and attendance of a recording. */
export const lesson = {
  chapters: 'Chapters',
  chapter: { speaker: '{{name}}', screen: '{{name}} shares the screen', page: 'Page {{name}} of the board' },
  attendance: 'Attendance',
  columns: {
    name: 'Name',
    joined: 'Joined',
    left: 'Left',
    present: 'Present',
    talk: 'Speaking',
    hand: 'Raised hand',
  },
  joins: '(joined: {{number}})',
  untilEnd: 'until the end',
  saveTable: 'Save as table (CSV)',
}
