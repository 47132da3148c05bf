export const options = {
  copyInvitation: 'نسخ رابط الدعوة',
  invitationCopied: 'تم النسخ.',
  sounds: 'تشغيل صوت عندما',
  sound: {
    join: 'ينضم أحد',
    hand: 'يرفع أحد يده',
    message: 'تصل رسالة',
  },
  bubble: 'إظهار الرسائل الجديدة فوق الفيديوهات',
  tabTitle: 'إظهار ما يحدث في عنوان علامة التبويب',
  pushToTalk: 'الضغط المستمر على مفتاح المسافة للتحدث أثناء كتم الميكروفون',
  alert: {
    join: 'انضم {{name}}',
    hand: 'رفع {{name}} يده',
    message: 'رسالة من {{name}}',
  },
  volume: { voice: 'مستوى الصوت لديّ', screen: 'مستوى صوت الشاشة المشتركة لديّ' },
}

export const reactions = {
  title: 'التفاعلات',
  forbidden: 'التفاعل متاح الآن للمشرفين فقط',
  forbidden_teacher: 'التفاعل متاح الآن للمعلّم فقط',
  announce: '{{name}}: {{reaction}}',
  thumbs_up: 'إعجاب',
  clap: 'تصفيق',
  heart: 'قلب',
  laugh: 'ضحك',
  party: 'احتفال',
  surprise: 'دهشة',
  thinking: 'تفكير',
  wave: 'تلويح',
}

export const pointer = {
  start: 'مؤشر ليزر',
  stop: 'إخفاء مؤشر الليزر',
  board: 'شاشتك المشتركة للإشارة عليها',
  hint: 'يرى الآخرون ما تشير إليه. تحرّك مفاتيح الأسهم المؤشر، ومع Shift أسرع. يخفيه مفتاح Escape.',
}

export const pip = {
  open: 'صورة داخل صورة',
  close: 'إغلاق صورة داخل صورة',
}

export const statistics = {
  title: 'إحصاءات الاتصال',
  none: 'الصوت والفيديو غير متصلين.',
  sent: 'ما ترسله',
  received: 'ما تستقبله',
  source: {
    microphone: 'الميكروفون',
    camera: 'الكاميرا',
    screen: 'الشاشة',
    screen_audio: 'صوت الشاشة',
  },
  kbps: '{{kbps}} كيلوبت/ث',
  loss: 'فقدان {{percent}}٪',
  fps: '{{fps}} إطار/ث',
  rtt: 'ذهاب وإياب {{ms}} م.ث',
  route: { udp: 'UDP', tcp: 'TCP', relay: 'خادم ترحيل' },
}

export const bar = {
  panel: 'اللوحة الجانبية',
  enlarge: 'تكبير اللوحة',
  reduce: 'تصغير اللوحة',
  board: 'السبورة',
  myPage: 'صفحتي',
  openBoard: 'عرض السبورة للجميع',
  closeBoard: 'إغلاق السبورة للجميع',
  boardLoading: 'يجري تحميل السبورة…',
  exit: 'خيارات الخروج',
  leave: 'المغادرة مع استمرار الاجتماع',
  leave_teacher: 'المغادرة مع استمرار الدرس',
  end: 'إنهاء للجميع…',
  endVerb: 'إنهاء للجميع',
  endQuestion: 'هل تريد إنهاء الاجتماع للجميع؟',
  settings: {
    microphone: 'إعدادات الصوت',
    camera: 'إعدادات الفيديو',
  },
  share: 'مشاركة',
  hand: 'اليد',
  left: 'بقي {{minutes, number}} د',
  locked: 'الاجتماع مقفل',
  hands: 'الأيدي المرفوعة: {{hands, number}}',
  waiting: 'في الانتظار: {{waiting, number}}',
}

export const shortcuts = {
  b: 'عرض السبورة أو إغلاقها',
  m: 'تشغيل الميكروفون أو إيقافه',
  v: 'تشغيل الكاميرا أو إيقافها',
  h: 'رفع اليد أو خفضها',
  c: 'إظهار الدردشة أو إخفاؤها',
  p: 'إظهار المشاركين أو إخفاؤهم',
  g: 'الانتقال إلى طريقة العرض التالية',
  r: 'التفاعل برمز تعبيري',
  help: 'إظهار هذه القائمة',
  spaceKey: 'المسافة',
  space: 'اضغط باستمرار للتحدث أثناء كتم الميكروفون، إذا كان ذلك مفعّلًا',
  escape: 'إغلاق اللوحة أو النافذة المفتوحة',
  note: 'لا تعمل مفاتيح الحروف أثناء الكتابة.',
  s: 'بدء مشاركة شاشتك أو إيقافها',
  t: 'إظهار الترجمة النصية أو إخفاؤها',
  f: 'تشغيل ملء الشاشة أو إيقافه',
  settings: 'فتح الإعدادات',
}

export const roomSettings = {
  tabs: {
    audio: 'الصوت',
    video: 'الفيديو',
    notices: 'التنبيهات',
    appearance: 'اللغة والمظهر',
    keys: 'المفاتيح',
    statistics: 'الإحصاءات',
  },
  shortcuts: 'اختصارات لوحة المفاتيح',
}
