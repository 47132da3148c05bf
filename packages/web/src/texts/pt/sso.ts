/** Sign-in at an identity provider. */
export const sso = {
  verb: 'Entrar com {{name}}',
  or: 'ou',
  leaving: 'Abrindo a página de login…',
  completing: 'Entrando…',
  wait: 'Isso leva só um instante.',
  failed: 'Não foi possível entrar',
  linkFailed: 'Não foi possível vincular sua conta',
  back: 'Voltar',
  problems: {
    expired:
      'Este login expirou, já foi usado ou foi iniciado em outra guia ou em outro navegador. Comece de novo.',
    cancelled: 'O login foi cancelado ou você não tem permissão para usar este serviço.',
    'no-account': 'Você não tem uma conta aqui. Peça uma ao administrador deste servidor.',
    deleted: 'Sua conta neste servidor foi excluída.',
    disabled: 'Um administrador desativou sua conta.',
    taken: 'Essa conta pertence a outra pessoa aqui ou você já vinculou outra.',
    provider: 'O serviço de login não está respondendo como deveria. Tente mais tarde.',
    limited: 'Muitas tentativas da sua rede. Tente de novo em um minuto.',
    unreachable:
      'Não foi possível conectar ao servidor. Verifique sua conexão com a internet e tente de novo.',
    storage: 'Seu navegador impede esta página de salvar dados, e esta forma de login precisa deles.',
    failing: 'O servidor está com problemas. Tente de novo em instantes.',
  },
}
