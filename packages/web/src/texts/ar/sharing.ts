export const sharing = {
  on: 'أنت تشارك الآن',
  preview: 'معاينة ما تشاركه',
  stop: 'إيقاف',
}
