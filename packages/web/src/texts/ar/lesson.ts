/** Chapters and attendance of a recording. */
export const lesson = {
  chapters: 'الفصول',
  chapter: { speaker: '{{name}}', screen: '{{name}} يشارك الشاشة', page: 'الصفحة {{name}} من السبورة' },
  attendance: 'الحضور',
  columns: {
    name: 'الاسم',
    joined: 'الدخول',
    left: 'الخروج',
    present: 'مدة الحضور',
    talk: 'مدة التحدث',
    hand: 'رفع اليد',
  },
  joins: '(مرات الدخول: {{number}})',
  untilEnd: 'حتى النهاية',
  saveTable: 'الحفظ كجدول (CSV)',
}
