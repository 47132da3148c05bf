export const microphone = {
  noise: 'Geräuschunterdrückung',
  noiseOptions: { off: 'Aus', standard: 'Standard', strong: 'Stark' },
  music: 'Musikmodus',
  musicHint:
    'Überträgt Instrumente und Gesang unbearbeitet und in Stereo. Verwenden Sie Kopfhörer: Echos werden nicht entfernt.',
  fallback: {
    unsupported:
      'Die starke Geräuschunterdrückung funktioniert in diesem Browser nicht. Es gilt die Standardeinstellung.',
    failed:
      'Die starke Geräuschunterdrückung konnte nicht gestartet werden. Es gilt die Standardeinstellung.',
    waiting:
      'Die starke Geräuschunterdrückung beginnt, sobald Sie irgendwohin klicken. Bis dahin gilt die Standardeinstellung.',
  },
}
