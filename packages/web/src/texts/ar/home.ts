export const home = {
  navigation: 'التنقل الرئيسي',
  back: 'رجوع',
  pages: {
    conversations: 'المحادثات',
    contacts: 'جهات الاتصال',
    calls: 'المكالمات',
    meetings: 'الاجتماعات',
    recordings: 'التسجيلات',
    settings: 'الإعدادات',
    admin: 'الإدارة',
  },
  unread: '{{page}}، غير مقروء: {{number}}',
  connection: {
    offline: 'أنت غير متصل بالإنترنت. ستُرسل الرسائل عند عودة الاتصال.',
    reconnecting: 'انقطع الاتصال. تجري إعادة الاتصال…',
    outdated: 'تم تحديث الخادم. أعد تحميل الصفحة للمتابعة.',
    reload: 'إعادة تحميل الصفحة',
  },
}

export const overview = {
  title: 'البدء أو الانضمام',
  missed: 'المكالمات الفائتة',
  recordings: 'آخر التسجيلات',
}
