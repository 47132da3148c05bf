/** The stage: layouts and pages. */
export const stage = {
  page: 'Página {{page}} de {{pages}}',
  previous: 'Página anterior',
  more: 'Mais {{number}}',
  layout: {
    title: 'Exibição',
    webinar: 'Automático',
    webinarText: 'A partir de três pessoas, quem fala aparece maior.',
    grid: 'Grade',
    gridText: 'Todos do mesmo tamanho, até 49 por página.',
    speaker: 'Orador',
    speakerText: 'Quem fala aparece maior.',
    presentation: 'Apresentação',
    presentationText: 'A tela compartilhada ou o moderador aparece maior, com poucas pessoas ao lado.',
    presentationText_teacher:
      'A tela compartilhada ou o professor aparece maior, com poucas pessoas ao lado.',
  },
  ownView: 'Mostrar meu próprio vídeo para mim',
  moveOwnView: 'Arraste ou pressione uma seta para mover para outro canto.',
  reconnecting: 'Reconectando…',
  hand: '{{name}} levantou a mão, número {{number}}',
  zoom: {
    title: 'Tamanho da tela',
    in: 'Ampliar',
    out: 'Reduzir',
    fit: 'Ajustar',
  },
}
