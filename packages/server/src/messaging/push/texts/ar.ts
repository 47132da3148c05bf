import type { PushTexts } from './types.ts'

export const ar: PushTexts = {
  call: 'مكالمة واردة',
  videoCall: 'مكالمة فيديو واردة',
  missedCall: 'مكالمة فائتة',
  answeredElsewhere: 'تم الرد على جهاز آخر',
  declinedElsewhere: 'تم الرفض على جهاز آخر',
  contactRequest: 'طلب إضافة إلى جهات الاتصال',
  test: 'الإشعارات تعمل على هذا الجهاز.',
}
