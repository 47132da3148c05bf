/** What is behind the person in the camera's video. */
export const background = {
  title: 'Background',
  options: {
    off: 'None',
    light: 'Light blur',
    strong: 'Strong blur',
    library: 'Library',
    window: 'Bright room',
    plants: 'Plants',
    dusk: 'Evening',
    waves: 'Waves',
    classroom: 'Classroom',
    own: 'Own picture',
  },
  choose: 'Choose picture…',
  remove: 'Remove own picture',
  ownHint: 'Your own picture stays in this browser.',
  unreadable: 'This file is not a picture that the browser can open.',
  starting: 'Preparing background…',
  unsupported: 'This browser cannot hide what is behind you.',
  showRoom: 'Show my room',
}
