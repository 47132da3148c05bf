export const options = {
  title: 'الخيارات',
  copyInvitation: 'نسخ رابط الدعوة',
  invitationCopied: 'تم النسخ.',
  sounds: 'تشغيل صوت عندما',
  sound: {
    join: 'ينضم أحد',
    hand: 'يرفع أحد يده',
    message: 'تصل رسالة',
  },
  more: 'المزيد',
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
  exit: 'خيارات الخروج',
  leave: 'المغادرة مع استمرار الاجتماع',
  leave_teacher: 'المغادرة مع استمرار الدرس',
  end: 'إنهاء للجميع…',
  endVerb: 'إنهاء للجميع',
  endQuestion: 'هل تريد إنهاء الاجتماع للجميع؟',
}
