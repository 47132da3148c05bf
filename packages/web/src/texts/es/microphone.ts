export const microphone = {
  noise: 'Supresión de ruido',
  noiseOptions: { off: 'No', standard: 'Estándar', strong: 'Fuerte' },
  music: 'Modo música',
  musicHint:
    'Transmite instrumentos y canto sin procesar, en estéreo. Use auriculares: no se elimina el eco.',
  fallback: {
    unsupported: 'La supresión fuerte no funciona en este navegador. Se usa la estándar.',
    failed: 'No se pudo iniciar la supresión fuerte. Se usa la estándar.',
    waiting:
      'La supresión fuerte empieza cuando haga clic en cualquier lugar. Hasta entonces se usa la estándar.',
  },
}
