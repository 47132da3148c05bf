export const moderation = {
  permissions: 'يُسمح للمشاركين بما يلي',
  everybody: {
    microphone: 'تشغيل الميكروفون',
    camera: 'تشغيل الكاميرا',
    screen: 'مشاركة الشاشة',
  },
  lowerAllHands: 'خفض جميع الأيدي',
  options: 'خيارات {{name}}',
  spotlight: 'إبراز للجميع',
  endSpotlight: 'إنهاء الإبراز',
  stopCamera: 'إيقاف الكاميرا',
  stopScreen: 'إيقاف مشاركة الشاشة',
  person: {
    microphone: 'يمكنه تشغيل الميكروفون',
    camera: 'يمكنه تشغيل الكاميرا',
    screen: 'يمكنه مشاركة الشاشة',
    chat: 'يمكنه الكتابة في الدردشة',
  },
  forbidden: {
    microphone: 'أوقف أحد المشرفين الميكروفون لديك',
    microphone_teacher: 'أوقف المعلّم الميكروفون لديك',
    camera: 'أوقف أحد المشرفين الكاميرا لديك',
    camera_teacher: 'أوقف المعلّم الكاميرا لديك',
    screen: 'يمكن للمشرفين فقط مشاركة الشاشة حاليًا',
    screen_teacher: 'يمكن للمعلّم فقط مشاركة الشاشة حاليًا',
  },
  permitted: {
    microphone: 'يمكنك الآن تشغيل الميكروفون',
    camera: 'يمكنك الآن تشغيل الكاميرا',
    screen: 'يمكنك الآن مشاركة شاشتك',
  },
}
