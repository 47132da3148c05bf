export const link = {
  opening: 'جارٍ فتح الرابط…',
  code: 'الرمز للدعم الفني:',
}

export const invitation = {
  heading: 'دعوة',
  untitled: 'اجتماع بلا عنوان',
  time: 'الموعد',
  from: 'من {{time}}',
  until: 'حتى {{time}}',
  zone: 'المنطقة الزمنية: {{zone}}',
  guest: 'أنت مدعوّ بصفة',
  personal: 'هذا الرابط شخصي. لا تشاركه: كل من يفتحه ينضم باسمك.',
  about: 'عن هذا الاجتماع',
  all: 'عرض الكل',
  less: 'عرض أقل',
}

export const prejoin = {
  recorded: 'يُسجَّل هذا الاجتماع تلقائيًا: الصوت والفيديو والشاشات المشتركة.',
  name: 'اسمك',
  nameMissing: 'أدخل اسمك.',
  join: 'انضمام',
  joinBlocked: 'انضمام بدون كاميرا وميكروفون',
  joinAs: 'ستنضم باسم {{name}}',
  change: 'تغيير',
  options: 'الإعدادات',
  copyLink: 'نسخ الرابط لفتحه في متصفح آخر',
  copyRefused: 'متصفحك لا يسمح بالنسخ. افتح الرابط مرة أخرى في متصفح آخر.',
  preview: 'معاينة الكاميرا',
  settings: 'الأجهزة',
  requesting: 'اسمح بالوصول إلى الكاميرا والميكروفون',
  requestingText: 'اختر «سماح» في نافذة المتصفح. لا يمكن لأحد أن يراك أو يسمعك قبل أن تنضم.',
  cameraOff: 'الكاميرا متوقفة',
  cameraFailed: 'لا يوجد فيديو من الكاميرا',
  cameraStarting: 'جارٍ تشغيل الكاميرا…',
  without: {
    both: 'ستنضم بدون كاميرا وميكروفون. يمكنك تشغيلهما لاحقًا.',
    microphone: 'ستنضم وصوتك مكتوم. يمكنك تشغيل الميكروفون لاحقًا.',
  },
  levelQuiet: 'قل شيئًا لاختبار الميكروفون',
  levelDetected: 'الميكروفون يعمل',
  testSound: 'تشغيل صوت تجريبي',
  noWebRtc: {
    title: 'هذا المتصفح غير مدعوم',
    text: 'تقنية WebRTC غير موجودة أو غير مفعّلة. افتح الرابط في إصدار حديث من Firefox أو Chrome أو Edge أو Safari.',
  },
  playing: 'جارٍ التشغيل…',
  systemSpeaker: 'الافتراضي في النظام',
}

export const entrance = {
  signedIn: 'تم تسجيل الدخول باسم {{login}}.',
  lost: 'تم تسجيل خروجك. سجّل الدخول مرة أخرى.',
  noGuests: 'يلزمك حساب للانضمام إلى هذا الاجتماع. سجّل الدخول للمتابعة.',
  orAccount: 'هل لديك حساب؟',
  orGuest: 'ليس لديك حساب؟',
  guest: 'المتابعة كضيف',
}

export const start = {
  title: 'لقاء وجهًا لوجه',
  text: 'أدخل رابط الاجتماع أو رمزه للانضمام.',
  link: 'رابط الاجتماع أو رمزه',
  example: 'على سبيل المثال: {{code}}',
  go: 'فتح الاجتماع',
  wrong: {
    elsewhere: 'يؤدي هذا الرابط إلى خادم آخر. افتحه في متصفحك.',
    nothing: 'هذا ليس رابط اجتماع ولا رمزًا له. تحقق منه وحاول مرة أخرى.',
  },
}

export const status = {
  live: 'جارٍ الآن',
  scheduled: 'مجدول',
  empty: 'لا يوجد أحد في الاجتماع',
}

export const inside = {
  one: '{{name}} هنا',
  two: '{{name}} و{{second}} هنا',
  more_zero: '{{name}} و{{second}} و{{count, number}} آخرون هنا',
  more_one: '{{name}} و{{second}} وشخص آخر ({{count, number}}) هنا',
  more_two: '{{name}} و{{second}} وشخصان آخران ({{count, number}}) هنا',
  more_few: '{{name}} و{{second}} و{{count, number}} آخرون هنا',
  more_many: '{{name}} و{{second}} و{{count, number}} آخرون هنا',
  more_other: '{{name}} و{{second}} و{{count, number}} آخرون هنا',
}

export const timing = {
  ahead: 'يبدأ {{when}}',
  starting: 'يبدأ الآن',
  due: 'بدأ {{when}}',
  over: 'انتهى {{when}}',
  'live-until': 'ينتهي {{when}}',
  overtime: 'تجاوز موعد انتهائه',
}

export const role = {
  teacher: 'معلّم',
  student: 'طالب',
}
