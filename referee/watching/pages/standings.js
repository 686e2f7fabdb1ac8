// The standings of a tournament: the names in their order.
export function showStandings(data) {
    const list = document.createElement("ol");
    (data.standings || []).forEach(function (row) {
        const item = document.createElement("li");
        item.textContent = row.bot;
        list.appendChild(item);
    });
    document.body.appendChild(list);
}
