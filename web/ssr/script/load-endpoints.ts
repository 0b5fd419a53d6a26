// A separate task in `forms.ts`: the endpoints of the forms.
import '@keyturn/contract/accounts/endpoints.ts'
