/** The stage: layouts and pages. */
export const stage = {
  page: 'Página {{page}} de {{pages}}',
  previous: 'Página anterior',
  more: '{{number}} más',
  layout: {
    title: 'Vista',
    webinar: 'Automático',
    webinarText: 'A partir de tres personas, quien habla se ve en grande.',
    grid: 'Cuadrícula',
    gridText: 'Todos del mismo tamaño, hasta 49 por página.',
    speaker: 'Orador',
    speakerText: 'Quien habla se ve en grande.',
    presentation: 'Presentación',
    presentationText: 'La pantalla compartida o el moderador se ve en grande, con pocas personas al lado.',
    presentationText_teacher:
      'La pantalla compartida o el docente se ve en grande, con pocas personas al lado.',
  },
  ownView: 'Mostrarme mi propio video',
  moveOwnView: 'Arrástralo o pulsa una tecla de flecha para moverlo a otra esquina.',
  reconnecting: 'Reconectando…',
  hand: '{{name}} ha levantado la mano, número {{number}}',
  zoom: {
    title: 'Tamaño de la pantalla',
    in: 'Acercar',
    out: 'Alejar',
    fit: 'Ajustar',
  },
}
