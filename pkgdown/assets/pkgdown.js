// Behavior of the pages: table of contents, copy buttons, search. It takes the place of the script
// of pkgdown, which loads seven libraries from the network when a site is built.
(() => {
  "use strict";

  // ---- table of contents: h2 and h3 of a page -----------------------------------------------------
  // The anchor of a heading is its own or that of its section; where there is none, it gets one.
  function anchorOf(heading) {
    if (heading.id) return heading.id;
    const section = heading.closest(".section[id], section[id]");
    if (section) return section.id;
    const words = heading.textContent.toLowerCase().replace(/[^a-z0-9]+/g, "-");
    heading.id = words.replace(/^-|-$/g, "") || "section";
    return heading.id;
  }

  function tocItem(heading) {
    const link = document.createElement("a");
    link.className = "nav-link";
    link.href = "#" + anchorOf(heading);
    const copy = heading.cloneNode(true);
    copy.querySelectorAll("a.anchor").forEach((anchor) => anchor.remove());
    link.textContent = copy.textContent.trim();
    const item = document.createElement("li");
    item.append(link);
    return item;
  }

  function buildToc(toc) {
    const newList = () => Object.assign(document.createElement("ul"), { className: "nav flex-column" });
    const list = newList();
    let section = null;
    const links = new Map();
    document.querySelectorAll("main h2, main h3").forEach((heading) => {
      if (heading.hasAttribute("data-toc-skip")) return;
      const item = tocItem(heading);
      links.set(heading, item.firstChild);
      if (heading.tagName === "H2" || !section) {
        list.append(item);
        if (heading.tagName === "H2") section = item;
      } else {
        if (!section.querySelector("ul")) section.append(newList());
        section.querySelector("ul").append(item);
      }
    });
    if (links.size === 0) {
      toc.remove();
      return;
    }
    toc.append(list);
    markActive(links);
  }

  // Marks the entry of the last heading that was scrolled past, and its section.
  function markActive(links) {
    const update = () => {
      let current = links.keys().next().value;
      for (const heading of links.keys()) {
        if (heading.getBoundingClientRect().top < 130) current = heading;
      }
      links.forEach((link) => link.classList.remove("active"));
      const link = links.get(current);
      link.classList.add("active");
      const above = link.parentElement.parentElement.previousElementSibling;
      if (above && above.matches("a.nav-link")) above.classList.add("active");
    };
    document.addEventListener("scroll", update, { passive: true });
    update();
  }

  // ---- copy buttons -------------------------------------------------------------------------------
  function addCopyButton(block) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "btn btn-primary btn-copy-ex";
    button.setAttribute("aria-label", "Copy to clipboard");
    button.innerHTML = "<i class='fa fa-copy' aria-hidden='true'></i>";
    button.addEventListener("click", async () => {
      // Lines of output are left out.
      const code = block.textContent.replace(/^#>.*\n?/gm, "");
      const icon = button.firstElementChild;
      try {
        await navigator.clipboard.writeText(code);
        icon.className = "fa fa-check";
      } catch {
        icon.className = "fa fa-times";
      }
      window.setTimeout(() => { icon.className = "fa fa-copy"; }, 1500);
    });
    block.classList.add("hasCopyButton");
    block.prepend(button);
  }

  // ---- search -------------------------------------------------------------------------------------
  // The index is a script and not JSON, so that the search also works in pages opened from a folder.
  const indexPath = (input) => input.dataset.searchIndex.replace(/search\.json$/, "");

  function loadIndex(root) {
    return new Promise((resolve, reject) => {
      if (window.searchIndex) {
        resolve(window.searchIndex);
        return;
      }
      const script = document.createElement("script");
      script.src = root + "search.js";
      script.onload = () => resolve(window.searchIndex);
      script.onerror = () => reject(new Error("The search index was not found."));
      document.head.append(script);
    });
  }

  // Every word must occur. Titles count most, then headings, text and code.
  function score(entry, words) {
    let total = 0;
    for (const word of words) {
      let best = 0;
      if (entry.title.toLowerCase().includes(word)) best = 8;
      else if ((entry.what + " " + entry.previous_headings).toLowerCase().includes(word)) best = 4;
      else if (entry.text.toLowerCase().includes(word)) best = 2;
      else if (entry.code.toLowerCase().includes(word)) best = 1;
      if (best === 0) return 0;
      total += best;
    }
    return total;
  }

  const plain = (text) => [].concat(text || "").join(" ");

  function find(index, query) {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const scored = [];
    for (const raw of index) {
      const entry = { path: raw.path, id: raw.id, dir: plain(raw.dir), title: plain(raw.title),
                      what: plain(raw.what), previous_headings: plain(raw.previous_headings),
                      text: plain(raw.text), code: plain(raw.code) };
      const value = score(entry, words);
      // Help pages come before articles, a page before its sections.
      const bonus = (entry.path.includes("reference/") ? 0.5 : 0) + (entry.what === entry.title ? 0.25 : 0);
      if (value > 0) scored.push({ entry, value: value + bonus });
    }
    scored.sort((a, b) => b.value - a.value);
    const shown = new Map();
    return scored.map((one) => one.entry).filter((entry) => {
      shown.set(entry.path, (shown.get(entry.path) || 0) + 1);
      return shown.get(entry.path) <= 2;
    }).slice(0, 20);
  }

  function resultItem(entry, root, query) {
    const link = document.createElement("a");
    link.className = "dropdown-item search-result";
    const path = entry.path.replace(/^\//, "");
    link.href = root + path + "?q=" + encodeURIComponent(query) + (entry.id ? "#" + entry.id : "");
    const title = document.createElement("span");
    title.textContent = entry.title;
    link.append(title);
    if (entry.what && entry.what !== entry.title) {
      const detail = document.createElement("small");
      detail.textContent = entry.what;
      link.append(detail);
    }
    return link;
  }

  function setUpSearch(input) {
    const root = indexPath(input);
    const box = document.createElement("div");
    box.className = "dropdown-menu search-results";
    box.setAttribute("role", "listbox");
    input.parentElement.classList.add("position-relative");
    input.after(box);
    input.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const first = box.querySelector("a");
      if (first) window.location.href = first.href;
    });

    const close = () => box.classList.remove("show");
    const update = async () => {
      const query = input.value.trim();
      if (query.length < 2) {
        close();
        return;
      }
      let found;
      try {
        found = find(await loadIndex(root), query);
      } catch (error) {
        found = [];
        console.error(error.message);
      }
      // Meanwhile more may have been typed.
      if (query !== input.value.trim()) return;
      box.replaceChildren(...found.map((entry) => resultItem(entry, root, query)));
      if (found.length === 0) {
        const none = document.createElement("span");
        none.className = "dropdown-item-text";
        none.textContent = "No results";
        box.append(none);
      }
      box.classList.add("show");
    };
    input.addEventListener("input", update);
    input.addEventListener("focus", update);
    document.addEventListener("click", (event) => {
      if (!input.parentElement.contains(event.target)) close();
    });
    input.parentElement.addEventListener("keydown", (event) => {
      if (event.key === "Escape") close();
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      const stops = [input, ...box.querySelectorAll("a")];
      const step = event.key === "ArrowDown" ? 1 : -1;
      const next = stops[stops.indexOf(document.activeElement) + step];
      if (next) next.focus();
      event.preventDefault();
    });
  }

  // Marks the words of the search by which a page was opened.
  function markQuery(main, query) {
    const words = query.toLowerCase().split(/\s+/).filter((word) => word.length > 1);
    if (words.length === 0) return;
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    const nodes = [];
    while (walker.nextNode()) nodes.push(walker.currentNode);
    nodes.forEach((node) => markNode(node, words));
  }

  function markNode(node, words) {
    const text = node.data.toLowerCase();
    const starts = words.map((word) => [text.indexOf(word), word.length]).filter(([at]) => at >= 0);
    if (starts.length === 0 || node.parentElement.closest("math, script, style")) return;
    const [at, length] = starts.sort((a, b) => a[0] - b[0])[0];
    const found = node.splitText(at);
    const rest = found.splitText(length);
    const mark = document.createElement("mark");
    found.replaceWith(mark);
    mark.append(found);
    if (rest.data) markNode(rest, words);
  }

  document.addEventListener("DOMContentLoaded", () => {
    const toc = document.querySelector("#toc");
    if (toc) buildToc(toc);
    document.querySelectorAll("div.sourceCode").forEach(addCopyButton);
    // Wide tables scroll on their own, not the page with them.
    document.querySelectorAll("main table").forEach((table) => {
      if (table.closest(".table-scroll")) return;
      const frame = document.createElement("div");
      frame.className = "table-scroll";
      table.replaceWith(frame);
      frame.append(table);
    });
    const input = document.querySelector("#search-input");
    if (input) setUpSearch(input);
    const query = new URL(window.location.href).searchParams.get("q");
    const main = document.querySelector("main");
    if (query && main) markQuery(main, query);
    document.querySelectorAll("[data-bs-toggle='tooltip']").forEach((element) => {
      bootstrap.Tooltip.getOrCreateInstance(element);
    });
    document.addEventListener("keydown", (event) => {
      const typing = event.target.closest && event.target.closest("input, textarea, select");
      if (event.key !== "/" || typing || !input) return;
      event.preventDefault();
      input.focus();
    });
  });
})();
