export const microphone = {
  noise: 'Supresión de ruido',
  noiseOptions: { off: 'No', standard: 'Estándar', strong: 'Intensa' },
  music: 'Modo música',
  musicHint: 'Envía instrumentos y canto sin procesar, en estéreo. Usa auriculares: no se elimina el eco.',
  fallback: {
    unsupported: 'La supresión de ruido intensa no funciona en este navegador. Se usa la estándar.',
    failed: 'No se pudo iniciar la supresión de ruido intensa. Se usa la estándar.',
    waiting:
      'La supresión de ruido intensa se iniciará cuando hagas clic en cualquier lugar. Hasta entonces se usa la estándar.',
  },
}
