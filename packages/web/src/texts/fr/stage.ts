export const stage = {
  page: 'Page {{page}} sur {{pages}}',
  previous: 'Page précédente',
  more: '+{{number}}',
  layout: {
    title: 'Affichage',
    webinar: 'Automatique',
    webinarText: 'À partir de trois personnes, celle qui parle est affichée en grand.',
    grid: 'Mosaïque',
    gridText: 'Tout le monde à la même taille, jusqu’à 49 par page.',
    speaker: 'Intervenant',
    speakerText: 'La personne qui parle est affichée en grand.',
    presentation: 'Présentation',
    presentationText:
      'L’écran partagé ou le modérateur est affiché en grand, avec quelques personnes à côté.',
    presentationText_teacher:
      'L’écran partagé ou l’enseignant est affiché en grand, avec quelques personnes à côté.',
  },
  ownView: 'Afficher ma propre vidéo',
  moveOwnView: 'Faites-la glisser ou appuyez sur une touche fléchée pour la déplacer dans un autre coin.',
  reconnecting: 'Reconnexion…',
  hand: '{{name}} a levé la main, numéro {{number}}',
  zoom: {
    title: 'Taille de l’écran',
    in: 'Agrandir',
    out: 'Réduire',
    fit: 'Ajuster',
  },
}
