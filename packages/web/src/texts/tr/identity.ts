export const identity = {
  linked: 'Bu hesapla oturum açabilirsiniz:',
  notLinked: '{{name}} ile oturum açmak için hesabınızı bağlayın.',
  link: 'Hesabı bağla',
  unlink: 'Hesap bağını kaldır',
  unlinkConfirm: '“{{name}}” hesabınızın bağı kaldırılsın mı? Oturum açmak için şifreniz gerekecek.',
}
