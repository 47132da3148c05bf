/** The live transcript and captions. */
export const transcript = {
  title: 'Transcript',
  close: 'Close transcript',
  live: 'Live transcript',
  language: 'Language',
  captions: 'Captions',
  starting: 'Starting…',
  waiting: 'Waiting for the transcription service…',
  log: 'Transcript text',
  silence: 'Nothing has been said yet',
  off: 'Live transcript is off',
  announce: '{{name}} says: {{text}}',
  copy: 'Copy',
  text: 'Download .txt',
  vtt: 'Download .vtt',
  copied: 'Copied.',
  notCopied: 'Your browser does not allow copying.',
}
