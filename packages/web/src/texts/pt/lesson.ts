/** Chapters and attendance of a recording. */
export const lesson = {
  chapters: 'Capítulos',
  chapter: { speaker: '{{name}}', screen: '{{name}} compartilha a tela', page: 'Página {{name}} do quadro' },
  attendance: 'Presença',
  columns: {
    name: 'Nome',
    joined: 'Entrada',
    left: 'Saída',
    present: 'Presença',
    talk: 'Tempo de fala',
    hand: 'Mão levantada',
  },
  joins: '(entradas: {{number}})',
  untilEnd: 'até o fim',
  saveTable: 'Salvar como tabela (CSV)',
}
