export const sharing = {
  on: 'Sie teilen gerade',
  preview: 'Vorschau des geteilten Inhalts',
  stop: 'Beenden',
}
