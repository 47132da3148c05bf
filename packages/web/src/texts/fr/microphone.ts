export const microphone = {
  noise: 'Réduction du bruit',
  noiseOptions: { off: 'Non', standard: 'Standard', strong: 'Forte' },
  music: 'Mode musique',
  musicHint:
    'Transmet les instruments et le chant sans traitement, en stéréo. Utilisez un casque : l’écho n’est pas supprimé.',
  fallback: {
    unsupported:
      'La forte réduction du bruit ne fonctionne pas dans ce navigateur. La réduction standard est utilisée.',
    failed: 'La forte réduction du bruit n’a pas pu démarrer. La réduction standard est utilisée.',
    waiting:
      'La forte réduction du bruit démarre dès que vous cliquez quelque part. D’ici là, la réduction standard est utilisée.',
  },
}
