/** How the microphone's sound is processed. */
export const microphone = {
  noise: 'Noise suppression',
  noiseOptions: { off: 'Off', standard: 'Standard', strong: 'Strong' },
  music: 'Music mode',
  musicHint: 'Sends instruments and singing unprocessed, in stereo. Use headphones: echoes are not removed.',
  fallback: {
    unsupported: 'Strong noise suppression does not work in this browser. The standard one is used.',
    failed: 'Strong noise suppression could not be started. The standard one is used.',
    waiting: 'Strong noise suppression starts when you click anywhere. Until then the standard one is used.',
  },
}
