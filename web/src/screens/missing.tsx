/** The 404 page: nothing has this address. */

import { t } from "../words";
import { Title } from "./parts";
import { BackHome } from "./start";

export function Missing() {
  return (
    <main class="sheet">
      <BackHome />
      <Title words={t("missing.title")} />
      <p>{t("missing.text")}</p>
    </main>
  );
}
