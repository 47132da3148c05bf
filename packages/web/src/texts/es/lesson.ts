/** Chapters and attendance of a recording. */
export const lesson = {
  chapters: 'Capítulos',
  chapter: {
    speaker: '{{name}}',
    screen: '{{name}} comparte la pantalla',
    page: 'Página {{name}} de la pizarra',
  },
  attendance: 'Asistencia',
  columns: {
    name: 'Nombre',
    joined: 'Entrada',
    left: 'Salida',
    present: 'Presencia',
    talk: 'Tiempo de palabra',
    hand: 'Mano levantada',
  },
  joins: '(entradas: {{number}})',
  untilEnd: 'hasta el final',
  saveTable: 'Guardar como tabla (CSV)',
}
