export const stage = {
  page: 'Page {{page}} of {{pages}}',
  previous: 'Previous page',
  more: '{{number}} more',
  layout: {
    title: 'View',
    webinar: 'Automatic',
    webinarText: 'From three people on, whoever speaks is large.',
    grid: 'Grid',
    gridText: 'Everybody in the same size, up to 49 on a page.',
    speaker: 'Speaker',
    speakerText: 'Whoever speaks is large.',
    presentation: 'Presentation',
    presentationText: 'The shared screen or the moderator is large, with few people beside it.',
    presentationText_teacher: 'The shared screen or the teacher is large, with few people beside it.',
  },
  ownView: 'Show my own video to me',
}
