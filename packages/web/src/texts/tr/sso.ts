/** Sign-in at an identity provider. */
export const sso = {
  verb: '{{name}} ile oturum aç',
  or: 'veya',
  leaving: 'Oturum açma sayfası açılıyor…',
  completing: 'Oturum açılıyor…',
  wait: 'Bu işlem kısa sürer.',
  failed: 'Oturum açılamadı',
  linkFailed: 'Hesabınız bağlanamadı',
  back: 'Geri',
  problems: {
    expired:
      'Bu oturum açma işleminin süresi doldu, daha önce kullanıldı veya başka bir sekmede ya da tarayıcıda başlatıldı. Yeniden başlatın.',
    cancelled: 'Oturum açma iptal edildi veya bu hizmeti kullanma izniniz yok.',
    'no-account': 'Burada hesabınız yok. Bu sunucunun yöneticisinden bir hesap isteyin.',
    deleted: 'Bu sunucudaki hesabınız silindi.',
    disabled: 'Bir yönetici hesabınızı devre dışı bıraktı.',
    taken: 'Bu hesap burada başka birine ait veya başka bir hesabı zaten bağladınız.',
    provider: 'Oturum açma hizmeti beklendiği gibi yanıt vermiyor. Daha sonra tekrar deneyin.',
    limited: 'Ağınızdan çok fazla deneme yapıldı. Bir dakika sonra tekrar deneyin.',
    unreachable: 'Sunucuya ulaşılamıyor. İnternet bağlantınızı kontrol edip tekrar deneyin.',
    storage:
      'Tarayıcınız bu sayfanın veri saklamasını engelliyor; bu oturum açma yöntemi için bu gereklidir.',
    failing: 'Sunucuda sorun var. Birazdan tekrar deneyin.',
  },
}
