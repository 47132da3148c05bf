export const stage = {
  page: 'الصفحة {{page}} من {{pages}}',
  previous: 'الصفحة السابقة',
  more: '\u200e+{{number}}', // the mark keeps the sign before the number
  layout: {
    title: 'طريقة العرض',
    webinar: 'تلقائي',
    webinarText: 'بدءًا من ثلاثة أشخاص يظهر المتحدث بحجم كبير.',
    grid: 'شبكة',
    gridText: 'الجميع بالحجم نفسه، حتى 49 في الصفحة.',
    speaker: 'المتحدث',
    speakerText: 'يظهر المتحدث بحجم كبير.',
    presentation: 'عرض تقديمي',
    presentationText: 'تظهر الشاشة المشتركة أو المشرف بحجم كبير، وبجانبها عدد قليل من الأشخاص.',
    presentationText_teacher: 'تظهر الشاشة المشتركة أو المعلّم بحجم كبير، وبجانبها عدد قليل من الأشخاص.',
  },
  ownView: 'إظهار الفيديو الخاص بي',
  moveOwnView: 'اسحبه أو اضغط مفتاح سهم لنقله إلى زاوية أخرى.',
  reconnecting: 'جارٍ إعادة الاتصال…',
  hand: '{{name}}: اليد مرفوعة، رقم {{number}}',
  zoom: {
    title: 'حجم الشاشة',
    in: 'تكبير',
    out: 'تصغير',
    fit: 'ملاءمة',
  },
}
