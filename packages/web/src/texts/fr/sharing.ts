export const sharing = {
  on: 'Partage en cours',
  preview: 'Aperçu de ce que vous partagez',
  stop: 'Arrêter',
}
