// Released, and people may have consented to it: never edited. A changed sentence is a new version (docs/how-to.md).

/** The parts that 15 USC 7001(c) asks for, in its order: scope, paper, withdrawing, contact data, what is needed, that it can be read. */
export const consent20261102 = {
  version: 'consent-2026-11-2',
  title: 'Signing electronically',
  lead: 'By choosing I Agree you consent to the following.',
  sections: [
    {
      title: 'What this covers',
      text: 'You sign the Vehicle Sale Agreement of each car that you buy or sell through Keyturn electronically, and the agreement and what concerns it reach you in electronic form, on these pages and by email. This consent covers nothing else.',
    },
    {
      title: 'Paper',
      text: 'You do not have to sign electronically: the two of you can make the sale on paper instead, outside of Keyturn. What you have signed here you can print, or download as a PDF. If you would rather have it from us on paper, write to the postal address that stands with this text. A paper copy costs nothing.',
    },
    {
      title: 'Withdrawing your consent',
      text: 'You can withdraw this consent under Settings at any time, at no charge. What you have signed by then stays valid. What you have not signed yet can no longer be signed here, unless you consent again; you can make that sale on paper with the other side.',
    },
    {
      title: 'Your address',
      text: 'We write to the email address of your account. Keep it up to date under Profile.',
    },
    {
      title: 'What you need',
      text: 'To read the agreement and keep it you need a device with internet access, a current web browser, an email address, a program that opens PDF files, and a printer or room to save a file.',
    },
    {
      title: 'That you can open it here',
      text: 'The agreement reaches you as a PDF file. Where you sign, you can open the same sheet as a PDF, in the form in which you will have it: it is marked as a draft, and the signed PDF adds both signatures and a certificate. Open the draft before you choose I Agree. By choosing I Agree, you confirm that you can open such a file on this device, read it and keep it.',
    },
  ],
}
