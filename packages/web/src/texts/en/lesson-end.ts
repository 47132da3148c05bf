/** After a session: what there was, and what is next. */
export const lessonEnd = {
  finished: 'Meeting finished',
  finished_teacher: 'Lesson finished',
  endedBy: '{{name}} ended the meeting',
  endedBy_teacher: '{{name}} ended the lesson',
  students_one: '{{count, number}} student',
  students_other: '{{count, number}} students',
  people_one: '{{count, number}} other person',
  people_other: '{{count, number}} other people',
  recording: 'The recording is being prepared.',
  recordings: 'Recordings',
  attendance: 'Who was here',
  attendanceNote: 'As seen while you were in the meeting.',
  again: 'Start again',
  ask: 'Ask to join again',
  back: 'Back to the meeting page',
}
